export const leastScale = 0.1
export const greatestScale = 2
/** What one press of a button makes larger. */
export const scaleStep = 1.25

export function clampScale(scale: number): number {
  return Math.min(greatestScale, Math.max(leastScale, scale))
}

interface Size {
  width: number
  height: number
}

/** The scale at which the whole chart is in sight; never larger than its own size. */
export function fittingScale(chart: Size, screen: Size): number {
  if (chart.width === 0 || chart.height === 0) return 1
  return clampScale(Math.min(1, screen.width / chart.width, screen.height / chart.height))
}

/** Smaller than this a chart doesn't begin: names could not be read. */
const leastFirstScale = 0.6

/** The scale that a chart begins with: as much of it in sight as can still be read. */
export function firstScale(chart: Size, screen: Size): number {
  return Math.max(leastFirstScale, fittingScale(chart, screen))
}

/** The scale after a turn of the wheel with the control key, or a pinch on a touchpad, which comes as one. */
export function scaleAfterWheel(scale: number, deltaY: number): number {
  // A wheel's notch is about 100, a touchpad sends many small steps.
  const turned = Math.max(-50, Math.min(50, deltaY))
  return clampScale(scale * Math.exp(-turned / 200))
}
