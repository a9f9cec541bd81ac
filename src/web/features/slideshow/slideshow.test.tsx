import { renderToStaticMarkup } from 'react-dom/server'
import { createMemoryRouter, RouterProvider } from 'react-router'
import { describe, expect, test } from 'vitest'
import type { Slide } from '#shared/slideshow/slides-response.ts'
import { buildSlide } from '#tests/factories/slide.ts'
import type { Section } from '#web/lib/section.ts'
import { Slideshow } from './slideshow.tsx'

function render(slides: Section<Slide[]>, isAdmin = false): string {
  const element = <Slideshow slides={slides} isAdmin={isAdmin} />
  return renderToStaticMarkup(<RouterProvider router={createMemoryRouter([{ path: '/', element }])} />)
}

function section(...titles: string[]): Section<Slide[]> {
  const data = titles.map(buildSlide)
  return { data, failure: null }
}

describe('without slides', () => {
  test('visitors see nothing', () => {
    expect(render(section())).toBe('')
  })

  test('the administrator sees the placeholder and how to add one', () => {
    const html = render(section(), true)
    expect(html).toContain('No slideshow images available')
    expect(html).toMatch(/<a [^>]*href="\/admin\?tab=slideshow"[^>]*>Add Slideshow</)
  })
})

test('a failure is an error panel with its reason and a way out', () => {
  const failure = 'Failed to load slideshow: The service is not available at the moment.'
  const html = render({ data: null, failure })
  expect(html).toContain('role="alert"')
  expect(html).toContain(failure)
  expect(html).toContain('Retry')
  expect(html).not.toContain('Slideshow</a>')
  expect(render({ data: null, failure }, true)).toContain('Manage Slideshow')
})

test('the texts of a slide are set in the direction that they are written in', () => {
  expect(render(section('شريحة'))).toMatch(/<p dir="auto"[^>]*>شريحة</)
})

test('the first slide is complete in the document, and its picture waits as the others do, below the banner', () => {
  const html = render(section('first', 'second'))
  expect(html).toContain('aria-label="Slide 1 of 2"')
  const images = html.match(/<img[^>]*>/g) ?? []
  expect(images[0]).toContain('src="/first.jpg"')
  for (const image of images) expect(image).toContain('loading="lazy"')
  expect(html).not.toContain('Manage Slideshow')
})

test('one slide alone has no buttons, and the administrator the way to all', () => {
  const html = render(section('alone'), true)
  expect(html).not.toContain('<button')
  expect(html).toMatch(/<a [^>]*href="\/admin\?tab=slideshow"[^>]*>Manage Slideshow</)
})
