const examples = [
  { typed: '**bold**', result: <strong>bold</strong> },
  { typed: '*italic*', result: <em>italic</em> },
  { typed: '- one', result: '• one' },
  { typed: '1. first', result: '1. first' },
  {
    typed: '[NSTP office](https://example.edu)',
    result: <span className="text-primary underline underline-offset-4">NSTP office</span>,
  },
]

export function FormattingHelp() {
  return (
    <details className="min-w-0 text-sm">
      <summary className="-ml-2 inline-flex min-h-9 items-center rounded-box px-2 font-semibold text-primary underline-offset-4 hover:underline">
        Formatting help
      </summary>
      <div className="mt-1 rounded-box border bg-soft p-3">
        <p>Blank line = new paragraph. Web addresses become links.</p>
        <dl className="mt-2 grid grid-cols-2 gap-x-4 gap-y-1">
          {examples.map(({ typed, result }) => (
            <div key={typed} className="contents">
              <dt className="font-mono wrap-anywhere">{typed}</dt>
              <dd>{result}</dd>
            </div>
          ))}
        </dl>
      </div>
    </details>
  )
}
