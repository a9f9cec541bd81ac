import { placeholderNames, placeholderTexts } from '#shared/mail-placeholders.ts'
import { insertAtCaret } from './insert-at-caret.ts'

interface PlaceholderButtonsProps {
  /** The field that a placeholder goes into. */
  fieldOf: () => HTMLInputElement | HTMLTextAreaElement | null
}

/** What may stand in braces; a press puts it at the caret. */
export function PlaceholderButtons({ fieldOf }: PlaceholderButtonsProps) {
  return (
    <fieldset className="min-w-0">
      <legend className="mb-1.5 text-sm font-semibold">Insert a placeholder</legend>
      <div className="flex flex-wrap gap-1.5">
        {placeholderNames.map((name) => (
          <button
            key={name}
            type="button"
            title={placeholderTexts[name]}
            className="min-h-8 rounded-box border border-edge bg-card px-2.5 font-mono text-sm hover:bg-soft disabled:text-muted max-md:min-h-11"
            onClick={() => {
              const field = fieldOf()
              if (field) insertAtCaret(field, `{${name}}`)
            }}
          >
            {`{${name}}`}
          </button>
        ))}
      </div>
    </fieldset>
  )
}
