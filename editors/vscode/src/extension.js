// Starts `rocecfg lsp` once an intent is open, and shows it the files of the languages that are set.
"use strict";
const vscode = require("vscode");
const { LanguageClient } = require("vscode-languageclient/node");
const { isIntent, options, selector, started, trouble } = require("./server");

let client = null;
let starting = null;

function settings() {
  const set = vscode.workspace.getConfiguration("rocecfg");
  return Object.fromEntries(["command", "languages", "allowOutside"].map((name) => [name, set.get(name)]));
}

async function start() {
  const set = settings();
  const cwd = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath;
  const why = await trouble(set, cwd);
  if (why) {
    const open = "Open settings";
    const chosen = await vscode.window.showErrorMessage(`rocecfg: ${why}`, open);
    if (chosen === open) await vscode.commands.executeCommand("workbench.action.openSettings", "rocecfg.command");
    return;
  }
  const running = new LanguageClient("rocecfg", "rocecfg", { ...started(set), options: options(cwd) }, { documentSelector: selector(set) });
  await running.start();
  client = running;
}

/** Start the server, unless it runs or is being started. */
function ensure() {
  if (client === null) starting ??= start().finally(() => { starting = null; });
  return starting;
}

async function stop() {
  await starting;
  const running = client;
  client = null;
  await running?.stop();
}

function concerns(document) {
  return document.uri.scheme === "file" && settings().languages.includes(document.languageId) && isIntent(document.getText());
}

async function activate(context) {
  let refused = false; // what was said once is not said again for each file
  const look = async (document) => {
    if (client !== null || refused || !concerns(document)) return;
    await ensure();
    refused = client === null;
  };
  const again = async () => {
    refused = false;
    await stop();
    await ensure();
    refused = client === null;
  };
  context.subscriptions.push(
    vscode.workspace.onDidOpenTextDocument(look),
    vscode.workspace.onDidSaveTextDocument(look),
    vscode.commands.registerCommand("rocecfg.restart", again),
    vscode.workspace.onDidChangeConfiguration((change) => {
      const ours = ["command", "languages", "allowOutside"].some((name) => change.affectsConfiguration(`rocecfg.${name}`));
      if (ours && (client !== null || refused)) return again();
    }),
  );
  const settled = await vscode.workspace.findFiles("**/rocecfg.toml", "**/node_modules/**", 1);
  if (settled.length) await ensure();
  refused = settled.length > 0 && client === null;
  for (const document of vscode.workspace.textDocuments) await look(document);
}

module.exports = { activate, deactivate: stop };
