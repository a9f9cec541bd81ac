import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { AddressText } from './address-text.tsx'

test.each([
  ['maria.clara@school.edu.ph', 'maria.<wbr/>clara@<wbr/>school.<wbr/>edu.<wbr/>ph'],
  ['Maria P. Clara · m@school.ph', 'Maria P. Clara · m@<wbr/>school.<wbr/>ph'],
  ['Sending as a@b.ph.', 'Sending as a@<wbr/>b.<wbr/>ph.'],
  ['a@b.ph, c@d.ph', 'a@<wbr/>b.<wbr/>ph, c@<wbr/>d.<wbr/>ph'],
  ['nobody', 'nobody'],
  ['', ''],
])('%s', (text, markup) => {
  expect(renderToStaticMarkup(<AddressText text={text} />)).toBe(markup)
})
