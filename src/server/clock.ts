/** Now. Handed to whatever asks for the time, so that a test can decide it. */
export type Clock = () => Date

export const systemClock: Clock = () => new Date()
