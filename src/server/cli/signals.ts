/** Aborts at the first signal, so that the command can tidy up. A second one ends the process at once. */
export function abortOnSignals(): AbortSignal {
  const interrupted = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.once(signal, () => interrupted.abort())
  }
  return interrupted.signal
}
