import type { TestimonialTexts } from '#shared/site-texts.ts'

/** What graduates say. */
export function Testimonials({ texts: { title, items } }: { texts: TestimonialTexts }) {
  if (items.length === 0) return null
  return (
    <section aria-labelledby="testimonials" className="on-pine bg-pine text-on-pine">
      <div className="page-width py-14 md:py-20">
        <h2 id="testimonials" dir="auto" className="text-2xl font-bold tracking-tight md:text-3xl">
          {title}
        </h2>
        <ul className="mt-10 grid grid-cols-[repeat(auto-fit,minmax(min(18rem,100%),1fr))] gap-x-10 gap-y-10">
          {items.map(({ quote, attribution }) => (
            <li key={`${attribution} ${quote}`} className="max-w-2xl">
              <figure dir="auto" className="flex h-full flex-col border-s-2 border-gold ps-5">
                <blockquote className="text-lg leading-relaxed">“{quote}”</blockquote>
                <figcaption dir="auto" className="mt-auto pt-4 text-sm font-semibold text-gold">
                  {attribution}
                </figcaption>
              </figure>
            </li>
          ))}
        </ul>
      </div>
    </section>
  )
}
