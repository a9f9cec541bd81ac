export type Waits = ReturnType<typeof createWaits>

/** How long people waited for an answer, with all that they tried in between; and how long each part of the year took. */
export function createWaits() {
  const times = new Map<string, number[]>()
  const phases: { name: string; seconds: number }[] = []

  const at = (sorted: readonly number[], share: number) =>
    Math.round(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0)

  async function measure<T>(kind: string, action: () => Promise<T>): Promise<T> {
    const startedAt = performance.now()
    try {
      return await action()
    } finally {
      const own = times.get(kind) ?? []
      times.set(kind, own)
      own.push(performance.now() - startedAt)
    }
  }

  return {
    measure,
    async phase<T>(name: string, action: () => Promise<T>): Promise<T> {
      const startedAt = performance.now()
      const result = await action()
      const seconds = (performance.now() - startedAt) / 1_000
      phases.push({ name, seconds })
      process.stdout.write(`  ${seconds.toFixed(1).padStart(7)} s  ${name}\n`)
      return result
    },
    lines: () => [
      ...phases.map(({ name, seconds }) => `${seconds.toFixed(1).padStart(9)} s  ${name}`),
      ...[...times].map(([kind, all]) => {
        const sorted = all.toSorted((one, other) => one - other)
        const longest = Math.round(sorted.at(-1) ?? 0)
        return `${kind}: ${all.length} times, p50 ${at(sorted, 0.5)} ms, p99 ${at(sorted, 0.99)} ms, longest ${longest} ms`
      }),
    ],
  }
}
