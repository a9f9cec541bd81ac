import { figureText } from './count-text.ts'

/** How long a text is, of how long it may be. Nobody counts letters before there are many: undefined until then. */
export function lengthHint({ length }: string, most: number): string | undefined {
  return length > most * 0.8 ? `${figureText(length)} of ${figureText(most)} characters` : undefined
}
