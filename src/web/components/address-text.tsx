import { Fragment } from 'react'

interface Segment {
  text: string
  at: number
}

/**
 * Allows breaks after '@' and dots of e-mail addresses; the copied text is unchanged. The parent needs `wrap-anywhere`.
 */
export function AddressText({ text }: { text: string }) {
  return segmentsOf(text).map(({ text: piece, at }) => (
    <Fragment key={at}>
      {at > 0 && <wbr />}
      {piece}
    </Fragment>
  ))
}

function segmentsOf(text: string): Segment[] {
  const starts = [...text.matchAll(/\S*@\S*/g)].flatMap(({ 0: address, index }) =>
    [...address.matchAll(/[@.](?=[^@.])/g)].map((stop) => index + stop.index + 1),
  )
  return [0, ...starts].map((at, place) => ({ text: text.slice(at, starts[place]), at }))
}
