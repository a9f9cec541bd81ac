import markdownIt from 'markdown-it'
import { Link, redirect } from 'react-router'
import { nstpLawAddress } from '#shared/site/public-pages.ts'
import { guidePages } from '#web/features/admin/guide/pages.ts'
import { textLinkClass } from '#web/features/site/text-page.tsx'
import { helpPath } from '#web/lib/admin-tab.ts'
import { type StaticMetaArgs, staticMeta } from '#web/lib/page-meta.ts'
import type { Route } from './+types/help'

const folder = '../features/admin/guide/'
const texts: Record<string, string> = import.meta.glob('../features/admin/guide/*.md', {
  query: '?raw',
  import: 'default',
  eager: true,
})

const pictures: Record<string, string> = import.meta.glob('../features/admin/guide/*.webp', {
  query: '?url',
  import: 'default',
  eager: true,
})

/** The texts and their library stay on the server. */
export function loader({ params: { page } }: Pick<Route.LoaderArgs, 'params'>) {
  if (page === undefined) return { html: '', picture: undefined }
  if (page === 'email-test' || page === 'server-test') throw redirect(`${helpPath}/email`)
  const text = texts[`${folder}${page}.md`]
  if (text === undefined) throw redirect(helpPath)
  return { html: markdownIt().render(text), picture: pictures[`${folder}${page}.webp`] }
}

const findPage = (name: string | undefined) => guidePages.find((page) => page.name === name)

const indexTitle = 'Help & Support'

export const meta = (args: StaticMetaArgs & Pick<Route.MetaArgs, 'params'>) =>
  staticMeta({ title: findPage(args.params.page)?.title ?? indexTitle })(args)

// The texts have no classes.
const textClass = [
  '[&_h2]:mt-8 [&_h2]:mb-2 [&_h2]:text-lg [&_h2]:font-bold [&_h2]:break-after-avoid',
  '[&_ol]:list-decimal [&_ol]:pl-6 [&_ul]:list-disc [&_ul]:pl-6 [&_li]:mt-1.5 [&_p]:mt-4',
  '[&_a]:font-medium [&_a]:text-primary [&_a]:underline [&_a]:underline-offset-4',
  '[&_code]:rounded-box [&_code]:border [&_code]:bg-soft [&_code]:px-1.5 [&_code]:font-mono [&_code]:text-sm [&_code]:wrap-anywhere',
].join(' ')

export default function Help({ params, loaderData: { html, picture } }: Route.ComponentProps) {
  const page = findPage(params.page)
  if (!page) return <GuideIndex />
  return (
    <article className="max-w-3xl">
      <Link to={helpPath} className={`print:hidden ${textLinkClass}`}>
        All help pages
      </Link>
      <h1 className="mt-4 text-2xl font-bold">{page.title}</h1>
      <p className="mt-1 text-muted">{page.about}</p>
      {picture && (
        <img
          src={picture}
          alt={`The screen ${page.title} with demo data`}
          width={1280}
          height={800}
          className="mt-6 h-auto w-full rounded-box border"
        />
      )}
      {/* biome-ignore lint/security/noDangerouslySetInnerHtml: our own text */}
      <div className={textClass} dangerouslySetInnerHTML={{ __html: html }} />
    </article>
  )
}

function GuideIndex() {
  return (
    <div className="@container max-w-5xl">
      <h1 className="text-2xl font-bold">{indexTitle}</h1>
      <p className="mt-1 text-muted">Press ? on any screen to open its page. Each page can be printed.</p>
      <ul className="mt-6 grid gap-x-8 @md:grid-cols-2">
        {guidePages.map(({ name, title, about }) => (
          <li key={name} className="border-b py-2">
            <Link to={`${helpPath}/${name}`} className={`inline-flex min-h-11 items-center ${textLinkClass}`}>
              {title}
            </Link>
            <p className="text-sm text-muted">{about}</p>
          </li>
        ))}
      </ul>
      <p className="mt-6">
        The law:{' '}
        <a href={nstpLawAddress} target="_blank" rel="noreferrer" className={textLinkClass}>
          Republic Act 9163, the NSTP Act of 2001
        </a>
      </p>
    </div>
  )
}
