import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { OfficeCard } from './contact.tsx'

test('contact details are set in the direction of their text', () => {
  const contact = { office: 'مكتب', address: 'شارع', email: '', phone: '(046) 123', hours: '' }
  const html = renderToStaticMarkup(
    <OfficeCard texts={{ contact, officeLinks: { facebook: '', map: '' } }} />,
  )
  expect(html).toMatch(/<h2 [^>]*dir="auto"[^>]*>مكتب</)
  expect(html).toMatch(/<dd dir="auto"[^>]*>شارع</)
  expect(html).toMatch(/<dd dir="auto"[^>]*><a href="tel:046123"/)
})
