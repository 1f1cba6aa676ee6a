// How the server is started, and for which files. Nothing here needs an editor.
"use strict";
const { execFile } = require("node:child_process");

const INSTALL = "pip install 'rocecfg[lsp]', or name the program in the setting rocecfg.command";

/** Program and arguments of the server. `settings` are those of package.json, without their prefix. */
function started({ command, allowOutside }) {
  const [program, ...first] = command;
  return { command: program, args: [...first, "lsp", "--stdio", ...allowOutside.flatMap((folder) => ["--allow-outside", folder])] };
}

/** How its process is made: Python takes no module from the folder that is open, be it trusted or not. */
function options(cwd) {
  return { cwd, env: { ...process.env, PYTHONSAFEPATH: "1" } };
}

/** Files on disk of the languages; which of them are rocecfg's the server tells by their content. */
function selector({ languages }) {
  return languages.map((language) => ({ scheme: "file", language }));
}

/** Whether a text is an intent, so that other YAML starts no server. */
function isIntent(text) {
  return /^\uFEFF?(["']?)rocecfg\1[ \t]*:(?=\s|$)/m.test(text);
}

/** Why the server cannot run, with what to do about it, or null: it is started once, and gets no input. */
function trouble(settings, cwd) {
  const { command, args } = started(settings);
  return new Promise((resolve) => {
    const tried = execFile(command, args, { ...options(cwd), timeout: 20_000 }, (error, _, complaint) => {
      if (error?.code === "ENOENT") resolve(`There is no program ${command}: ${INSTALL}`);
      else if (error?.code === "EACCES") resolve(`${command} cannot be run: ${INSTALL}`);
      else if (error?.code === 2) resolve(complaint.trim().split("\n").at(-1));
      else resolve(null);
    });
    tried.stdin?.on("error", () => {}); // it is gone already, which the callback says
    tried.stdin?.end();
  });
}

module.exports = { isIntent, options, selector, started, trouble };
