import { clsx } from 'clsx'
import { Search } from 'lucide-react'
import { useEffect, useEffectEvent, useState } from 'react'
import { textMessages } from '#shared/form-text.ts'
import { runAfter } from '#web/lib/timers.ts'
import { FieldErrorText } from './field.tsx'

// Debounce, in ms.
const pauseMs = 300

interface SearchBoxProps {
  id: string
  placeholder: string
  mostLetters: number
  isLabelHidden?: boolean
  className?: string
  value: string
  onSearch: (search: string) => void
}

/** Target of the `/` key. */
export function SearchBox({ isLabelHidden = false, ...props }: SearchBoxProps) {
  const { id, placeholder, mostLetters, className, value, onSearch } = props
  const [text, setText] = useState(value)
  const [known, setKnown] = useState(value)
  const [sent, setSent] = useState(value)

  // The address changed. If not because of what was typed here (a menu, Back), the box follows it.
  if (value !== known) {
    setKnown(value)
    if (value !== sent) {
      setSent(value)
      setText(value)
    }
  }

  // Cells of a spreadsheet are pasted with a tab between them.
  const wanted = text.replaceAll(/\p{Cc}+/gu, ' ').trim()
  const isTooLong = wanted.length > mostLetters

  const search = useEffectEvent((looked: string) => {
    if (looked === sent || isTooLong) return
    setSent(looked)
    onSearch(looked)
  })
  useEffect(() => runAfter(pauseMs, () => search(wanted)), [wanted])

  return (
    <search className={clsx('flex flex-col gap-1.5', className)}>
      <label htmlFor={id} className={isLabelHidden ? 'sr-only' : 'text-sm font-semibold'}>
        Search
      </label>
      <span className="relative block">
        <Search className="pointer-events-none absolute top-1/2 left-3 size-4 -translate-y-1/2 text-muted" />
        <input
          id={id}
          type="search"
          className="control min-h-9 pl-9 text-sm max-md:min-h-11 max-md:text-base"
          placeholder={placeholder}
          autoComplete="off"
          spellCheck={false}
          aria-keyshortcuts="/"
          aria-invalid={isTooLong}
          aria-describedby={isTooLong ? `${id}-error` : undefined}
          value={text}
          onChange={(event) => setText(event.target.value)}
          onKeyDown={(event) => {
            if (event.key === 'Enter') search(wanted)
          }}
        />
      </span>
      {/* A polite live region: there is no button whose press could announce it. */}
      <div role="status" className="empty:hidden">
        {isTooLong && (
          <FieldErrorText id={`${id}-error`}>{textMessages.tooLong('search', mostLetters)}</FieldErrorText>
        )}
      </div>
    </search>
  )
}
