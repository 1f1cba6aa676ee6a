(function () {
  "use strict";
  var folded = [];  // what is opened for paper, and closed again
  window.addEventListener("beforeprint", function () {
    folded = Array.prototype.slice.call(document.querySelectorAll("details:not([open])"));
    folded.forEach(function (details) { details.open = true; });
  });
  window.addEventListener("afterprint", function () {
    folded.forEach(function (details) { details.open = false; });
    folded = [];
  });
  function reach() {  // by Tab, what scrolls sideways; nothing else, so that Tab is quick
    document.querySelectorAll(".wide, figure").forEach(function (box) {
      if (box.scrollWidth > box.clientWidth + 1) { box.tabIndex = 0; } else { box.removeAttribute("tabindex"); }
    });
  }
  window.addEventListener("resize", reach);
  document.addEventListener("toggle", reach, true);
  reach();
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
