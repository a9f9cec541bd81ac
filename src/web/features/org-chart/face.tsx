import { clsx } from 'clsx'
import type { OrgNode } from '#shared/org-chart/org-chart-response.ts'
import { Picture } from '#web/components/picture.tsx'

interface FaceProps {
  person: Pick<OrgNode, 'name' | 'image'>
  className: string
}

/**
 * The photo of a person, or the initials where there is no photo. Screen readers skip it, because the page shows
 * the person's name next to it.
 */
export function Face({ person: { name, image }, className }: FaceProps) {
  return (
    <span
      aria-hidden="true"
      className={clsx(
        'grid shrink-0 place-items-center rounded-full bg-primary-soft font-bold text-primary',
        className,
      )}
    >
      {image ? (
        <Picture
          picture={image}
          alt=""
          sizes="56px"
          className="aspect-square w-full rounded-full object-cover"
        />
      ) : (
        initialsOf(name)
      )}
    </span>
  )
}

/** One or two letters; titles such as 'Dr.' don't count. */
export function initialsOf(name: string): string {
  const words = name.split(/\s+/).filter(Boolean)
  const named = words.filter((word) => !word.endsWith('.') && !word.startsWith('('))
  const [first, ...others] = named.length > 0 ? named : words
  return [first, others.at(-1)]
    .map((word) => [...(word ?? '')][0] ?? '')
    .join('')
    .toUpperCase()
}
