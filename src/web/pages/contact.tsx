import {
  BeforeWritingCard,
  contactPage,
  DataProtectionCard,
  OfficeCard,
} from '#web/features/site/contact.tsx'
import { TextPage } from '#web/features/site/text-page.tsx'
import { pageContext } from '#web/lib/page-context.ts'
import { staticMeta } from '#web/lib/page-meta.ts'
import type { Route } from './+types/contact'

export function loader({ context }: Route.LoaderArgs) {
  const { contact, officeLinks, dataProtection } = context.get(pageContext).texts()
  return { office: { contact, officeLinks }, dataProtection }
}

export const meta = staticMeta({
  title: contactPage.title,
  description: 'How to contact the NSTP office: address, office hours, and who to ask about your data.',
})

export default function Contact({ loaderData: { office, dataProtection } }: Route.ComponentProps) {
  return (
    <TextPage title={contactPage.title} lead={contactPage.lead}>
      <div className="grid grid-cols-1 items-start gap-6 md:grid-cols-2">
        <OfficeCard texts={office} />
        <div className="flex flex-col gap-6">
          <BeforeWritingCard />
          <DataProtectionCard contact={dataProtection} />
        </div>
      </div>
    </TextPage>
  )
}
