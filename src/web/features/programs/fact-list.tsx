interface FactListProps {
  facts: readonly { term: string; text: string; source: string }[]
}

/** What holds for the program, each with the section of the law that says so. */
export function FactList({ facts }: FactListProps) {
  return (
    <dl className="grid gap-x-10 gap-y-6 md:grid-cols-2">
      {facts.map(({ term, text, source }) => (
        <div key={term} className="border-t-2 border-primary pt-3">
          <dt className="font-semibold">{term}</dt>
          <dd className="mt-1">{text}</dd>
          {source && <dd className="mt-1 text-sm text-muted">{source}</dd>}
        </div>
      ))}
    </dl>
  )
}
