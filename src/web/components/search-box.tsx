import { clsx } from 'clsx'
import { Search } from 'lucide-react'
import { useEffect, useEffectEvent, useState } from 'react'

/** Pause in typing after which the list is searched, in milliseconds. */
const pauseMs = 300

interface SearchBoxProps {
  /** The input's id. */
  id: string
  /** What may be looked for, as the empty box says it. */
  placeholder: string
  maxLength: number
  className?: string
  /** The search that the address holds. */
  value: string
  onSearch: (search: string) => void
}

/** The search of a list: looks while one types, and is what the key `/` leads to. */
export function SearchBox({ id, placeholder, maxLength, className, value, onSearch }: SearchBoxProps) {
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

  const search = useEffectEvent((typed: string) => {
    const wanted = typed.trim()
    if (wanted === sent) return
    setSent(wanted)
    onSearch(wanted)
  })
  useEffect(() => {
    const timer = setTimeout(() => search(text), pauseMs)
    return () => clearTimeout(timer)
  }, [text])

  return (
    <search className={clsx('flex flex-col gap-1.5', className)}>
      <label htmlFor={id} className="text-sm font-semibold">
        Search
      </label>
      <span className="relative block">
        <Search
          aria-hidden="true"
          className="pointer-events-none absolute top-1/2 left-3 size-4 -translate-y-1/2 text-muted"
        />
        <input
          id={id}
          type="search"
          className="control min-h-9 pl-9 text-sm max-md:min-h-11 max-md:text-base"
          placeholder={placeholder}
          maxLength={maxLength}
          autoComplete="off"
          spellCheck={false}
          aria-keyshortcuts="/"
          value={text}
          onChange={(event) => setText(event.target.value)}
          onKeyDown={(event) => {
            if (event.key === 'Enter') search(text)
          }}
        />
      </span>
    </search>
  )
}
