// Python in a thread of its own: loads once, then answers calls of driver.py's functions.
import { loadPyodide } from "./pyodide.mjs";
import { start } from "./start.mjs";

// Pyodide asks for these by name; what is served is compressed, whether the server can do that or not.
const PACKED = { "pyodide.asm.wasm": ["wasm.bin", "application/wasm"], "python_stdlib.zip": ["stdlib.bin", "application/zip"] };
const plain = self.fetch;
self.fetch = async (what, options) => {
  const url = new URL(what.url ?? what, import.meta.url);
  const [name, type] = PACKED[url.pathname.split("/").at(-1)] ?? [];
  if (!name) return plain(what, options);
  const answer = await served(name);
  return new Response(answer.body.pipeThrough(new DecompressionStream("gzip")), { headers: { "Content-Type": type } });
};
async function served(name) {
  const answer = await plain(new URL(name, import.meta.url));
  if (!answer.ok) throw new Error(`${name}: ${answer.status}`);
  return answer;
}

const ready = (async () => {
  const app = served("app.bin").then((answer) => answer.arrayBuffer());
  const python = await loadPyodide({ indexURL: new URL("./", import.meta.url).href });
  return start(python, new Uint8Array(await app));
})();

onmessage = async ({ data: { id, what, args } }) => {
  try {
    const driver = await ready;
    postMessage({ id, result: JSON.parse(driver[what](...args)) });
  } catch (error) {
    postMessage({ id, error: String(error.message ?? error).trim().split("\n").at(-1) });
  }
};
