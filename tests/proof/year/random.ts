export type Random = ReturnType<typeof createRandom>

/** The same seed gives the same year: mulberry32. */
export function createRandom(seed: number) {
  let state = seed

  function next(): number {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }

  /** From 0, below `end`. */
  const int = (end: number) => Math.floor(next() * end)

  return {
    int,
    chance: (share: number) => next() < share,
    oneOf<Item>(items: readonly Item[]): Item {
      const item = items[int(items.length)]
      if (item === undefined) throw new Error('there is nothing to choose from')
      return item
    },
    shuffled<Item>(items: readonly Item[]): Item[] {
      const keyed = items.map((item) => ({ item, key: next() }))
      return keyed.sort((one, other) => one.key - other.key).map(({ item }) => item)
    },
  }
}
