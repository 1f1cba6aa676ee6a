// Python in a thread of its own: loads once, then answers calls of driver.py's functions.
import { loadPyodide } from "./pyodide.mjs";

const ready = (async () => {
  const [python, app] = await Promise.all([loadPyodide({ indexURL: new URL("./", import.meta.url).href }), fetch("app.zip")]);
  if (!app.ok) throw new Error(`app.zip: ${app.status}`);
  python.unpackArchive(await app.arrayBuffer(), "zip", { extractDir: "/app" });
  python.runPython("import sys; sys.path.insert(0, '/app')");
  return python.pyimport("playground_driver");
})();

onmessage = async ({ data: { id, what, args } }) => {
  try {
    const driver = await ready;
    postMessage({ id, result: JSON.parse(driver[what](...args)) });
  } catch (error) {
    postMessage({ id, error: String(error.message ?? error).trim().split("\n").at(-1) });
  }
};
