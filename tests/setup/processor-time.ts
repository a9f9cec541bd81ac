/**
 * What some work takes of the processor, in milliseconds: unlike the clock's time it doesn't grow with what else a
 * machine is doing.
 */
export async function processorMs(work: () => unknown): Promise<number> {
  const before = process.cpuUsage()
  await work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1_000
}
