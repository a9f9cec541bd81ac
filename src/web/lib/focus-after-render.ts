import { useEffect, useRef } from 'react'

/** Puts the focus on the first of some elements that can take it, once they are drawn. */
export function useFocusAfterRender(): (...ids: string[]) => void {
  const wanted = useRef<readonly string[]>([])
  useEffect(() => {
    const elements = wanted.current.map((id) => document.getElementById(id))
    wanted.current = []
    elements.find((element) => element?.matches(':enabled'))?.focus()
  })
  return (...ids: string[]) => {
    wanted.current = ids
  }
}
