// The extension's own way of starting the server, and Microsoft's client of the protocol: node client.cjs EXTENSION SETTINGS FILE
const fs = require("node:fs");
const path = require("node:path");
const { spawn } = require("node:child_process");
const { createRequire } = require("node:module");
const { pathToFileURL } = require("node:url");

const [extension, given, file] = process.argv.slice(2);
const inside = createRequire(path.join(extension, "src", "server.js"));
const { options, selector, started, trouble } = inside("./server.js");
const protocol = inside("vscode-languageserver-protocol/node");

(async () => {
  const settings = JSON.parse(given);
  const cwd = path.dirname(file), uri = pathToFileURL(file).href;
  const why = await trouble(settings, cwd);
  if (why) return console.log(JSON.stringify({ why }));
  const { command, args } = started(settings);
  const server = spawn(command, args, { ...options(cwd), stdio: ["pipe", "pipe", "inherit"] });
  const ended = new Promise((resolve) => server.on("exit", resolve));
  const connection = protocol.createProtocolConnection(server.stdout, server.stdin);
  const published = new Promise((resolve) => connection.onNotification(protocol.PublishDiagnosticsNotification.type, resolve));
  connection.onRequest(protocol.RegistrationRequest.type, () => null);
  connection.listen();
  const { capabilities, serverInfo } = await connection.sendRequest(protocol.InitializeRequest.type, {
    processId: process.pid, rootUri: pathToFileURL(cwd).href, capabilities: { workspace: { didChangeWatchedFiles: { dynamicRegistration: true } } },
  });
  await connection.sendNotification(protocol.InitializedNotification.type, {});
  const [{ language }] = selector(settings);
  const textDocument = { uri, languageId: language, version: 1, text: fs.readFileSync(file, "utf8") };
  await connection.sendNotification(protocol.DidOpenTextDocumentNotification.type, { textDocument });
  const { diagnostics } = await published;
  const [{ range }] = diagnostics;
  const context = { diagnostics };
  const actions = await connection.sendRequest(protocol.CodeActionRequest.type, { textDocument: { uri }, range, context });
  const position = range.start;
  const hover = await connection.sendRequest(protocol.HoverRequest.type, { textDocument: { uri }, position });
  await connection.sendRequest(protocol.ShutdownRequest.type);
  await connection.sendNotification(protocol.ExitNotification.type);
  const code = await ended;
  console.log(JSON.stringify({ serverInfo, capabilities, diagnostics, actions, hover, code }));
})();
