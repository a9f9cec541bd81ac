import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { ThisSemester } from './this-semester.tsx'

test('a date of another year is shown with its year', () => {
  const dates = [
    { label: 'Orientation', date: '2026-12-05' },
    { label: 'First training day', date: '2027-01-09' },
  ]
  const html = renderToStaticMarkup(<ThisSemester dates={dates} year="2026" />)
  expect(html).toContain('>Sat, December 5</time>')
  expect(html).toContain('>Sat, January 9, 2027</time>')
})
