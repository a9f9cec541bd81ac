import { useState } from 'react'

/** The students that a person ticked, on whatever page they are. */
export interface Selection {
  ids: ReadonlySet<string>
  /** Whether everything that can be selected was, by one press. */
  isComplete: boolean
  toggle: (id: string) => void
  /** Takes one out, because its record is gone. */
  drop: (id: string) => void
  /** Takes these instead: all that the filters show. */
  selectAll: (ids: readonly string[]) => void
  clear: () => void
}

const nothing = { ids: new Set<string>(), isComplete: false }

/**
 * What is selected within one set of students. It stays from page to page and in another order; other filters
 * begin anew, so that nothing out of sight can be acted on.
 *
 * @param key what tells one set from another
 */
export function useSelection(key: string): Selection {
  const [state, setState] = useState({ key, ...nothing })
  if (state.key !== key) setState({ key, ...nothing })

  return {
    ids: state.ids,
    isComplete: state.isComplete,
    toggle(id) {
      setState((current) => {
        const ids = new Set(current.ids)
        if (!ids.delete(id)) ids.add(id)
        return { key, ids, isComplete: false }
      })
    },
    drop(id) {
      setState(({ ids, isComplete }) => ({
        key,
        ids: new Set([...ids].filter((one) => one !== id)),
        isComplete,
      }))
    },
    selectAll(ids) {
      setState({ key, ids: new Set(ids), isComplete: ids.length > 0 })
    },
    clear() {
      setState({ key, ...nothing })
    },
  }
}
