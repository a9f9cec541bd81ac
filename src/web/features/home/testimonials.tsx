import type { TestimonialTexts } from '#shared/site-texts.ts'

/** What graduates say. */
export function Testimonials({ texts: { title, items } }: { texts: TestimonialTexts }) {
  if (items.length === 0) return null
  return (
    <section aria-labelledby="testimonials" className="page-width py-14 md:py-20">
      <h2 id="testimonials" className="text-2xl font-bold tracking-tight md:text-3xl">
        {title}
      </h2>
      <ul className="mt-8 grid gap-6 md:grid-cols-2 lg:grid-cols-3">
        {items.map(({ quote, attribution }) => (
          <li key={`${attribution} ${quote}`} className="flex rounded-box border bg-card shadow-card">
            <figure className="flex flex-col p-6">
              <span aria-hidden="true" className="h-8 font-serif text-6xl leading-none text-gold">
                “
              </span>
              <blockquote className="mt-3 text-lg leading-relaxed">{quote}</blockquote>
              <figcaption className="mt-auto pt-5 text-sm font-semibold text-muted">{attribution}</figcaption>
            </figure>
          </li>
        ))}
      </ul>
    </section>
  )
}
