export type Random = ReturnType<typeof createRandom>

/**
 * Pseudo-random choices: the same seed gives the same values on every machine. Mulberry32: 32 bits of state, fast.
 * Never for secrets.
 */
export function createRandom(seed: number) {
  let state = seed >>> 0

  function next(): number {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }

  function integer(min: number, max: number): number {
    return min + Math.floor(next() * (max - min + 1))
  }

  return {
    next,
    integer,
    chance: (share: number) => next() < share,
    pick: <T>(choices: readonly T[]) => choiceAt(choices, next() * choices.length),
    pickCommon: <T>(choices: readonly T[]) => choiceAt(choices, next() ** 1.6 * choices.length),
    weigh<T>(choices: readonly (readonly [T, number])[]): T {
      let rest = next() * choices.reduce((sum, [, weight]) => sum + weight, 0)
      const position = choices.findIndex(([, weight]) => {
        rest -= weight
        return rest < 0
      })
      // Rounding may leave a last crumb; it belongs to the last choice.
      return choiceAt(choices, position === -1 ? choices.length - 1 : position)[0]
    },
    digits: (length: number) => String(integer(0, 10 ** length - 1)).padStart(length, '0'),
  }
}

function choiceAt<T>(choices: readonly T[], position: number): T {
  const choice = choices[Math.floor(position)]
  if (choice === undefined) throw new RangeError('There is nothing to choose from.')
  return choice
}
