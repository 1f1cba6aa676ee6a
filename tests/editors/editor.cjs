// What stands for VS Code where the extension asks for it: node editor.cjs EXTENSION SETTINGS TEXT... opens each text, then restarts.
const Module = require("node:module");
const path = require("node:path");

const [extension, given, ...texts] = process.argv.slice(2);
const settings = JSON.parse(given);
const done = []; // what a user would see, and what was started
const heard = {};
const event = (name) => (listener) => { heard[name] = listener; return { dispose() {} }; };
const vscode = {
  workspace: {
    getConfiguration: () => ({ get: (name) => settings[name] }),
    workspaceFolders: undefined,
    findFiles: async () => [],
    textDocuments: [],
    onDidOpenTextDocument: event("open"),
    onDidSaveTextDocument: event("save"),
    onDidChangeConfiguration: event("configuration"),
  },
  window: { showErrorMessage: async (message, ...buttons) => { done.push({ message, buttons }); return buttons[0]; } },
  commands: {
    registerCommand: (name, run) => { heard[name] = run; return { dispose() {} }; },
    executeCommand: async (...words) => { done.push({ command: words }); },
  },
};
class LanguageClient {
  constructor(id, name, server, client) { Object.assign(this, { server, client }); }
  async start() {
    require("node:child_process").spawnSync(this.server.command, this.server.args, { ...this.server.options, input: "" });
    done.push({ started: [this.server.command, ...this.server.args], for: this.client.documentSelector });
  }
  async stop() { done.push("stopped"); }
}
const load = Module._load;
Module._load = (name, ...rest) => {
  if (name === "vscode") return vscode;
  return name === "vscode-languageclient/node" ? { LanguageClient } : load(name, ...rest);
};

(async () => {
  const { activate, deactivate } = require(path.join(extension, "src", "extension.js"));
  const document = (text) => ({ uri: { scheme: "file" }, languageId: "yaml", getText: () => text });
  await activate({ subscriptions: [] });
  for (const text of texts) {
    await heard.open(document(text));
    done.push("opened");
  }
  await heard["rocecfg.restart"]();
  await deactivate();
  console.log(JSON.stringify(done));
})();
