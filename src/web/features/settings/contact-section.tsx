import { siteTextLimits } from '#shared/site-texts.ts'
import { TextField } from '#web/components/text-field.tsx'
import { lengthHint } from '#web/lib/length-hint.ts'
import { SectionCard } from './section-card.tsx'
import { settingLabels } from './setting-texts.ts'
import type { Section } from './use-section.ts'

const officeFields = [
  { name: 'office', label: 'Name of the office', type: 'text', most: siteTextLimits.line },
  { name: 'address', label: 'Address', type: 'text', most: siteTextLimits.address },
  { name: 'email', label: 'E-mail address', type: 'email', most: siteTextLimits.email },
  { name: 'phone', label: 'Phone number', type: 'tel', most: siteTextLimits.phone },
  { name: 'hours', label: 'Office hours', type: 'text', most: siteTextLimits.line },
] as const

/** How the public reaches the office. */
export function ContactSection({ section }: { section: Section }) {
  const { values, change, errorOf } = section
  const { contact } = values
  return (
    <SectionCard
      title={settingLabels.contact}
      lead="On the page Contact. What is empty is left out."
      section={section}
    >
      {officeFields.map(({ name, label, type, most }) => (
        <TextField
          key={name}
          name={`contact.${name}`}
          label={label}
          type={type}
          required={name === 'office'}
          density="compact"
          autoComplete="off"
          hint={lengthHint(contact[name], most)}
          value={contact[name]}
          error={errorOf(`contact.${name}`)}
          onChange={({ target }) => change({ contact: { ...contact, [name]: target.value } })}
        />
      ))}
    </SectionCard>
  )
}

const officerFields = [
  { name: 'officer', label: 'Name of the data protection officer', type: 'text', most: siteTextLimits.line },
  { name: 'email', label: 'E-mail address', type: 'email', most: siteTextLimits.email },
  { name: 'phone', label: 'Phone number', type: 'tel', most: siteTextLimits.phone },
] as const

/** Whom to write to about one's data. */
export function DataProtectionSection({ section }: { section: Section }) {
  const { values, change, errorOf } = section
  const { dataProtection } = values
  return (
    <SectionCard
      title={settingLabels.dataProtection}
      lead="In the privacy notice and on the page Contact: whom students write to about their data (Republic Act 10173). What is empty is left out."
      section={section}
    >
      {officerFields.map(({ name, label, type, most }) => (
        <TextField
          key={name}
          name={`dataProtection.${name}`}
          label={label}
          type={type}
          density="compact"
          autoComplete="off"
          hint={lengthHint(dataProtection[name], most)}
          value={dataProtection[name]}
          error={errorOf(`dataProtection.${name}`)}
          onChange={({ target }) => change({ dataProtection: { ...dataProtection, [name]: target.value } })}
        />
      ))}
    </SectionCard>
  )
}
