import { Fragment } from 'react'

interface Piece {
  text: string
  /** Where it begins. */
  at: number
}

/**
 * A text whose e-mail addresses break after '@' and dots where a line is too short for them; between other letters only
 * where a piece is longer than a line. What is copied is the text as it is. Its place says `wrap-anywhere`.
 */
export function AddressText({ text }: { text: string }) {
  return piecesOf(text).map(({ text: piece, at }) => (
    <Fragment key={at}>
      {at > 0 && <wbr />}
      {piece}
    </Fragment>
  ))
}

function piecesOf(text: string): Piece[] {
  const starts = [...text.matchAll(/\S*@\S*/g)].flatMap(({ 0: address, index }) =>
    [...address.matchAll(/[@.](?=[^@.])/g)].map((stop) => index + stop.index + 1),
  )
  return [0, ...starts].map((at, place) => ({ text: text.slice(at, starts[place]), at }))
}
