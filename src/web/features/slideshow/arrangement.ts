import type { Slide } from '#shared/slides.ts'

type Ids = readonly string[]

/**
 * Slides in an order that isn't saved yet. What was added meanwhile stands at the end, what was deleted is left
 * out.
 */
export function arrange<T extends Pick<Slide, 'id'>>(slides: readonly T[], order: Ids): T[] {
  const place = new Map(order.map((id, index) => [id, index]))
  return slides.toSorted(
    (one, other) => (place.get(one.id) ?? order.length) - (place.get(other.id) ?? order.length),
  )
}

/** Takes one to another place. */
export function moveTo(order: Ids, id: string, place: number): string[] {
  const others = order.filter((each) => each !== id)
  return others.toSpliced(place, 0, id)
}

export function isSameOrder(one: Ids, other: Ids): boolean {
  return one.length === other.length && one.every((id, index) => id === other[index])
}
