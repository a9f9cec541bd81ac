import { scorePages } from '#tests/setup/page-scores.ts'
import { type Bench, isQuick } from './bench.ts'
import { measurePages, measureRows } from './page-bytes.ts'
import { atLeast, atMost, type Figure, format } from './report.ts'

export async function measurePublicPages({ product, database, cookie }: Bench): Promise<Figure[]> {
  // An empty page is quick.
  await database.refill(2_000)
  await database.fillContent()
  const base = `http://127.0.0.1:${product.port}`
  return [...(await bytes(base, cookie)), ...(await rows(base, cookie)), ...(await scores(base))]
}

async function bytes(base: string, cookie: string): Promise<Figure[]> {
  const pages = await measurePages(base, [
    ...['/', '/announcements', '/register', '/programs'].map((path) => ({ path })),
    { path: '/admin', cookie },
  ])
  if (pages === null) return [{ what: 'bytes of pages', product: 'no browser found', reference: '', aim: '' }]
  return pages.map(({ path, script, style, document, other, requests }) => ({
    what: `first visit of ${path}: script + style over the wire`,
    product: `${format(script / 1000)} + ${format(style / 1000)} kB (page ${format(document / 1000)}, other ${format(other / 1000)} kB, ${requests} requests)`,
    reference: '',
    aim: path.startsWith('/admin')
      ? `${atMost(script / 1000, 200, ' kB')}; ${atMost(requests, 20, ' requests')}`
      : `${atMost(script / 1000, 120, ' kB')}; ${atMost(style / 1000, 15, ' kB')}`,
  }))
}

async function rows(base: string, cookie: string): Promise<Figure[]> {
  const figures: Figure[] = []
  for (const path of ['/admin', '/admin?tab=students']) {
    const times: number[] = []
    for (let run = 0; run < (isQuick ? 1 : 3); run++) times.push((await measureRows(base, path, cookie)) ?? 0)
    const median = times.sort((a, b) => a - b)[times.length >> 1] ?? 0
    figures.push({
      what: `first rows of ${path}, slow 4G and a processor slowed down four times`,
      product: `${format(median / 1000)} s`,
      reference: '',
      aim: atMost(median / 1000, 2.5, ' s'),
    })
  }
  return figures
}

async function scores(base: string): Promise<Figure[]> {
  const pages = await scorePages(base, ['/', '/announcements', '/register'], isQuick ? 1 : 3)
  if (pages === null) return [{ what: 'Lighthouse', product: 'no browser found', reference: '', aim: '' }]
  return pages.map(({ path, scores, largestPaintMs, layoutShift }) => ({
    what: `Lighthouse mobile of ${path}: performance, accessibility, best practices, SEO`,
    product: `${scores.join(', ')} (LCP ${format(largestPaintMs / 1000)} s, CLS ${format(layoutShift)})`,
    reference: '',
    aim: atLeast(Math.min(...scores), 98, ''),
  }))
}
