import { type RefObject, useEffect, useState } from 'react'
import type { FieldSection } from '#shared/student-fields.ts'
import { noProgress, progressOf } from './form-progress.ts'
import { formSections } from './form-sections.ts'
import { valuesOf } from './form-values.ts'

/** How far the form is filled in, and which section is being looked at. */
export function useProgress(form: RefObject<HTMLFormElement | null>) {
  const [progress, setProgress] = useState(noProgress)
  const [current, setCurrent] = useState<FieldSection>('name')

  useEffect(() => {
    const element = form.current
    if (!element) return
    let frame = 0
    const count = () => setProgress(progressOf(valuesOf(new FormData(element))))
    const countSoon = () => {
      // Several events come with one keystroke or one autofill.
      cancelAnimationFrame(frame)
      frame = requestAnimationFrame(count)
    }
    countSoon()
    element.addEventListener('input', countSoon)
    return () => {
      cancelAnimationFrame(frame)
      element.removeEventListener('input', countSoon)
    }
  }, [form])

  useEffect(() => {
    const observer = new IntersectionObserver(
      (entries) => {
        const seen = entries.find(({ isIntersecting }) => isIntersecting)
        const section = formSections.find(({ id }) => seen?.target.id === `section-${id}`)
        if (section) setCurrent(section.id)
      },
      // The section that crosses a line a third of the way down is the one that is being read.
      { rootMargin: '-33% 0px -66% 0px' },
    )
    for (const { id } of formSections) {
      const section = document.getElementById(`section-${id}`)
      if (section) observer.observe(section)
    }
    return () => observer.disconnect()
  }, [])

  return { progress, current }
}
