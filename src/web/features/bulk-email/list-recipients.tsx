import { useDeferredValue } from 'react'
import { TextAreaField } from '#web/components/text-field.tsx'
import { readList } from './bulk-values.ts'
import { fieldIds } from './field-ids.ts'
import { ListResult } from './list-result.tsx'

interface ListRecipientsProps {
  value: string
  error: string | undefined
  onChange: (list: string) => void
}

/** Recipients as they are typed or pasted (spec §5), understood while one types. */
export function ListRecipients({ value, error, onChange }: ListRecipientsProps) {
  const text = useDeferredValue(value)
  return (
    <>
      <TextAreaField
        id={fieldIds.list}
        name="list"
        label="Recipients"
        required
        density="compact"
        rows={7}
        spellCheck={false}
        autoCapitalize="none"
        className="font-normal [&_textarea]:font-mono [&_textarea]:max-md:text-base"
        placeholder={'juan@school.example\nMaria <maria@school.example>'}
        hint={
          <>
            One address a line, or with commas between them. A name may stand before it:{' '}
            <span className="whitespace-nowrap">Maria &lt;maria@school.example&gt;</span>. Or a JSON array of
            objects with <code>email</code> and <code>firstName</code>.
          </>
        }
        value={value}
        error={error}
        onChange={({ target }) => onChange(target.value)}
      />
      {text.trim() !== '' && <ListResult list={readList(text)} />}
    </>
  )
}
