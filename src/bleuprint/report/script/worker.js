// The scorer's worker, whose code and compiled module stand in the page: questions to it, and its answers.

let worker = null;
let started = null; // its answer that it has begun
let waiting = new Map();
let asked = 0;
let packed = null;

function startWorker(versions = null, tell = () => {}) {
  stopWorker();
  packed ??= bytesOf(place("module").textContent.trim());
  const address = URL.createObjectURL(new Blob([place("worker").textContent], { type: "text/javascript" }));
  worker = new Worker(address);
  URL.revokeObjectURL(address);
  worker.addEventListener("message", ({ data: message }) => {
    if (message.progress) return void tell(message);
    const { answer, fail } = waiting.get(message.number) ?? {};
    waiting.delete(message.number);
    if (message.error) fail?.(new Error(message.error));
    else answer?.(message.answer);
  });
  worker.addEventListener("error", (event) => {
    event.preventDefault();
    stopWorker(new Error("the page could not go on with these texts; score them with the command line"));
  });
  started = ask("start", { packed, versions });
  return started;
}

function stopWorker(reason) {
  worker?.terminate();
  for (const { fail } of waiting.values()) fail(reason ?? new Error("cancelled"));
  worker = started = null;
  waiting = new Map();
}

const ask = (question, input) =>
  new Promise((answer, fail) => {
    asked += 1;
    waiting.set(asked, { answer, fail });
    worker.postMessage({ number: asked, question, input });
  });
