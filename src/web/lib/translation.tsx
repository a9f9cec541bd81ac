import { createContext, Fragment, type ReactNode, useCallback, useContext } from 'react'
import { placeholder, translate, type Words } from '#shared/site/translation.ts'

/** Null in English, and on the screens of the administrator. */
export const WordsContext = createContext<Words | null>(null)

/** The English text is the key: one without a translation stays English, and so do elements. */
export function useTranslation() {
  const words = useContext(WordsContext)
  return useCallback(
    <Content extends ReactNode>(content: Content) =>
      typeof content === 'string' ? translate(content, words) : content,
    [words],
  )
}

/** A sentence with elements in it, each at its `{name}`. */
export function Phrase({ text, ...elements }: { text: string } & Record<string, ReactNode>) {
  const t = useTranslation()
  return t(text)
    .split(placeholder)
    .map((part, index) => (index % 2 === 0 ? part : <Fragment key={part}>{elements[part]}</Fragment>))
}
