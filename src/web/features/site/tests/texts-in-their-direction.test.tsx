import { renderToStaticMarkup } from 'react-dom/server'
import { createMemoryRouter, RouterProvider } from 'react-router'
import { expect, test } from 'vitest'
import { FeatureList, Hero, Testimonials } from '../home.tsx'

const hero = { eyebrow: 'قانون', title: 'برنامج', text: 'وصف' }
const features = { title: 'مزايا', items: [{ icon: 'phone' as const, title: 'هاتف', text: 'شرح' }] }
const testimonials = { title: 'كلمات', items: [{ quote: 'اقتباس', attribution: 'خريج' }] }

test('configurable texts are set in their own direction', () => {
  const element = (
    <>
      <Hero user={null} texts={hero} picture={null} />
      <FeatureList texts={features} />
      <Testimonials texts={testimonials} />
    </>
  )
  const html = renderToStaticMarkup(<RouterProvider router={createMemoryRouter([{ path: '/', element }])} />)
  const directed = html
    .replaceAll(/<svg.*?<\/svg>/g, '')
    .matchAll(/<(\w+)[^>]* dir="auto"[^>]*>(?:<(?!p)[^>]*>)*([^<]*)/g)
  expect([...directed].map(([, tag, text]) => `${tag} ${text}`)).toEqual([
    'p قانون',
    'h1 برنامج',
    'p وصف',
    'h2 مزايا',
    // With its picture, and the testimonial with its line: they stand where the text begins.
    'li هاتف',
    'p شرح',
    'h2 كلمات',
    'figure “اقتباس”',
    'figcaption خريج',
  ])
})
