(function () {
  "use strict";
  var form = document.getElementById("filter");
  if (!form) { return; }
  var words = document.getElementById("words");
  var count = document.getElementById("count");
  var boxes = form.querySelectorAll("input[type=checkbox]");
  function apply() {
    var wanted = words.value.toLowerCase().split(/\s+/).filter(Boolean);
    var levels = {};
    boxes.forEach(function (box) { levels[box.value] = box.checked; });
    var shown = 0, all = 0;
    document.querySelectorAll("details.rule").forEach(function (rule) {
      var head = rule.querySelector("summary").textContent.toLowerCase();
      var any = false;
      rule.querySelectorAll(".finding").forEach(function (finding) {
        var text = head + " " + finding.textContent.toLowerCase();
        var fits = levels[rule.dataset.severity] && wanted.every(function (word) { return text.indexOf(word) >= 0; });
        finding.hidden = !fits;
        any = any || fits;
        shown += fits ? 1 : 0;
        all += 1;
      });
      rule.hidden = !any;
    });
    count.textContent = shown + " of " + all + " shown";
  }
  form.hidden = false;
  form.addEventListener("submit", function (event) { event.preventDefault(); });
  form.addEventListener("input", apply);
  apply();
})();
