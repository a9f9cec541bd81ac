import { figureText } from '#web/lib/count-text.ts'

const minute = 60
const hour = 60 * minute
const day = 24 * hour

/** How long the server has been running, in its two greatest units: '3 days 4 hours'. */
export function uptimeText(seconds: number): string {
  if (seconds < minute) return 'less than a minute'
  const parts = [
    part(Math.floor(seconds / day), 'day'),
    part(Math.floor((seconds % day) / hour), 'hour'),
    part(Math.floor((seconds % hour) / minute), 'minute'),
  ]
  const first = parts.findIndex((text) => text !== '')
  return parts
    .slice(first, first + 2)
    .filter((text) => text !== '')
    .join(' ')
}

function part(count: number, unit: string): string {
  return count === 0 ? '' : `${figureText(count)} ${count === 1 ? unit : `${unit}s`}`
}

/** From then on the disk is called nearly full. */
const fullPart = 0.1

export function isNearlyFull({ freeBytes, totalBytes }: { freeBytes: number; totalBytes: number }): boolean {
  return freeBytes < totalBytes * fullPart
}
