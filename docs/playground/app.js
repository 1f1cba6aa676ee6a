// The page: what is typed goes to the worker in which rocecfg runs, and what that finds is shown beside the lines.
const EXAMPLES = await (await fetch("examples.json")).json();
const MOST = 2_000_000; // characters that a link may unpack to
const $ = (id) => document.getElementById(id);
const text = $("text"), gutter = $("gutter"), status = $("status");

// -- the worker ----------------------------------------------------------------------------------------------------
const worker = new Worker("worker.js", { type: "module" });
const waiting = new Map();
let calls = 0;
worker.onmessage = ({ data }) => {
  const { resolve, reject } = waiting.get(data.id);
  waiting.delete(data.id);
  if ("error" in data) reject(new Error(data.error)); else resolve(data.result);
};
worker.onerror = (event) => say(`Python could not be started: ${event.message}`, true);
function call(what, ...args) {
  return new Promise((resolve, reject) => {
    waiting.set(++calls, { resolve, reject });
    worker.postMessage({ id: calls, what, args });
  });
}
function say(words, failed = false) {
  status.textContent = words;
  status.classList.toggle("failed", failed);
}
const element = (tag, words = "", name = "") => Object.assign(document.createElement(tag), { textContent: words, className: name });

// -- findings ------------------------------------------------------------------------------------------------------
const ORDER = { error: 0, warning: 1, info: 2 };
let turn = 0; // of the newest text: an answer to an older one is not shown
async function judge() {
  const mine = ++turn;
  say("Judging …");
  document.body.dataset.state = "busy";
  try {
    const done = await call("lint", text.value);
    if (mine !== turn) return;
    show(done);
    await other();
  } catch (error) {
    say(error.message, true);
  }
  if (mine === turn) document.body.dataset.state = "idle";
}
function show({ findings, summary, error }) {
  $("findings").replaceChildren();
  mark(findings ?? []);
  if (!findings) return say(error, true);
  const many = (n, word) => `${n} ${word}${n === 1 ? "" : "s"}`;
  const count = `${many(summary.errors, "error")}, ${many(summary.warnings, "warning")}, ${many(summary.infos, "info")}`;
  const of = `${many(summary.devices, "device")}, ${many(summary.ports, "port")}`;
  const unknown = summary.not_understood ? `; ${many(summary.not_understood, "statement")} not understood` : "";
  const silent = summary.silent_rules ? `; ${summary.silent_rules} rules skipped: no ${summary.silent_sections.join(", ")}` : "";
  say(`${findings.length ? count : "Clean"}: ${of}${unknown}${silent}`);
  for (const found of findings) $("findings").append(finding(found));
}
function finding(found) {
  const box = element("details");
  box.dataset.line = found.line ?? "";
  const head = element("summary");
  head.append(element("span", `${found.severity} `, `severity ${found.severity}`));
  head.append(element("code", `${found.name}`), document.createTextNode(` ${found.line ? `line ${found.line}: ` : ""}${found.message}`));
  if (found.help) head.append(element("span", `Fix: ${found.help}`, "help"));
  box.append(head);
  if (found.device) box.append(element("p", `Reaches ${found.device}${found.port ? ` ${found.port}` : ""}`, "note"));
  for (const place of found.related ?? []) box.append(element("p", `${place.message}${place.line ? ` (line ${place.line})` : ""}`, "note"));
  box.addEventListener("toggle", async () => {
    if (!box.open || box.querySelector("pre")) return;
    const page = element("pre", "…");
    box.append(page);
    page.textContent = await call("explain", found.name).catch((error) => error.message);
  });
  head.addEventListener("click", () => found.line && go(found.line));
  return box;
}
function go(line) {
  const lines = text.value.split("\n");
  const start = lines.slice(0, line - 1).reduce((sum, each) => sum + each.length + 1, 0);
  text.setSelectionRange(start, start + (lines[line - 1] ?? "").length);
  text.scrollTop = Math.max(0, (line - 5) * 20);
}
function mark(findings) {
  const worst = new Map();
  for (const { line, severity } of findings) {
    if (line && !(ORDER[worst.get(line)] <= ORDER[severity])) worst.set(line, severity);
  }
  const rows = document.createDocumentFragment();
  const lines = text.value.split("\n").length;
  for (let line = 1; line <= lines; line++) {
    const row = element("div", line);
    if (worst.has(line)) {
      row.dataset.severity = worst.get(line);
      row.title = findings.filter((found) => found.line === line).map((found) => found.message).join("\n");
      row.onclick = () => { const box = document.querySelector(`details[data-line="${line}"]`); box.open = true; box.scrollIntoView(); };
    }
    rows.append(row);
  }
  gutter.replaceChildren(rows);
  gutter.scrollTop = text.scrollTop;
}
text.addEventListener("scroll", () => { gutter.scrollTop = text.scrollTop; });
let timer = 0;
text.addEventListener("input", () => { mark([]); clearTimeout(timer); timer = setTimeout(judge, 400); });

// -- tabs ----------------------------------------------------------------------------------------------------------
const tabs = [...document.querySelectorAll("[role=tab]")];
const shown = { render: -1, report: -1 }; // the text that a panel was made of
let open = "findings";
for (const tab of tabs) tab.addEventListener("click", () => choose(tab));
function choose(tab) {
  for (const each of tabs) {
    each.setAttribute("aria-selected", each === tab);
    $(each.getAttribute("aria-controls")).hidden = each !== tab;
  }
  open = tab.getAttribute("aria-controls");
  $("for").hidden = open !== "render";
  other();
}
document.querySelector("[role=tablist]").addEventListener("keydown", (event) => {
  const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
  if (!step) return;
  const next = tabs[(tabs.indexOf(document.activeElement) + step + tabs.length) % tabs.length];
  next.focus();
  choose(next);
});
$("vendor").addEventListener("change", () => { shown.render = -1; other(); });
async function other() {
  if (open === "findings" || shown[open] === turn) return;
  const mine = (shown[open] = turn), panel = open;
  $(panel).replaceChildren(element("p", "Working …", "note"));
  try {
    const done = await call(panel, text.value, ...(panel === "render" ? [$("vendor").value] : []));
    if (mine !== turn) return;
    $(panel).replaceChildren(...(panel === "render" ? files(done) : page(done)));
  } catch (error) {
    $(panel).replaceChildren(element("pre", error.message));
  }
}
function files(done) {
  if (!done.files) return [element("pre", done.error, "refused")];
  return Object.entries(done.files).map(([name, content]) => {
    const box = element("details");
    box.open = !name.startsWith("APPLY-") && Object.keys(done.files).length < 4;
    box.append(element("summary", name), saved(name, content, "text/plain"), element("pre", content));
    return box;
  });
}
function page(done) {
  if (!done.html) return [element("pre", done.error, "refused")];
  const frame = element("iframe");
  frame.title = "Report";
  frame.sandbox = ""; // it shows, and runs nothing
  frame.srcdoc = done.html;
  const bar = element("p", "", "bar");
  bar.append(saved("report.html", done.html, "text/html"));
  return [bar, frame];
}
function saved(name, content, type) {
  const button = element("button", `Save ${name}`);
  button.type = "button";
  button.onclick = () => {
    const link = element("a");
    link.href = URL.createObjectURL(new Blob([content], { type }));
    link.download = name;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 1000);
  };
  return button;
}

// -- where a text comes from, and goes to --------------------------------------------------------------------------
function put(content) {
  text.value = content;
  judge();
}
for (const [name, { title }] of Object.entries(EXAMPLES)) $("example").append(new Option(title, name));
$("example").addEventListener("change", (event) => put(EXAMPLES[event.target.value].text));
$("file").addEventListener("change", async (event) => {
  const [file] = event.target.files;
  if (file) put(await file.text());
  event.target.value = "";
});
const editor = document.querySelector(".editor");
for (const kind of ["dragover", "dragleave", "drop"]) {
  editor.addEventListener(kind, async (event) => {
    event.preventDefault();
    editor.classList.toggle("drop", kind === "dragover");
    if (kind === "drop" && event.dataTransfer.files.length) put(await event.dataTransfer.files[0].text());
  });
}
async function packed(content) {
  const stream = new Blob([content]).stream().pipeThrough(new CompressionStream("deflate-raw"));
  const bytes = new Uint8Array(await new Response(stream).arrayBuffer());
  let binary = "";
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return btoa(binary).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}
async function unpacked(word) {
  const bytes = Uint8Array.from(atob(word.replaceAll("-", "+").replaceAll("_", "/")), (c) => c.charCodeAt(0));
  const reader = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw")).pipeThrough(new TextDecoderStream()).getReader();
  let out = "";
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    out += part.value;
    if (out.length > MOST) throw new Error("the text of this link is too long");
  }
  return out;
}
$("share").addEventListener("click", async () => {
  history.replaceState(null, "", `#z=${await packed(text.value)}`); // what is behind # is sent to nobody
  const copied = await navigator.clipboard?.writeText(location.href).then(() => true, () => false);
  $("told").textContent = copied ? "Copied: the link holds the text itself." : "The link is in the address bar.";
});
async function fromLink() {
  const word = /^#z=([\w-]+)$/.exec(location.hash)?.[1];
  if (!word) return false;
  try {
    put(await unpacked(word));
  } catch (error) {
    say(`The link cannot be read: ${error.message}`, true);
  }
  return true;
}
addEventListener("hashchange", fromLink);
if (!(await fromLink())) put(Object.values(EXAMPLES)[0].text);
navigator.serviceWorker?.register("sw.js").then(() => navigator.serviceWorker.ready).then(() => { document.body.dataset.offline = "ready"; });
