/** Words in braces that nothing stands in for, while one types: they would be sent as they are written. */
export function UnknownPlaceholders({ names }: { names: readonly string[] }) {
  return (
    <p role="status" className="text-sm font-medium text-danger empty:sr-only">
      {names.length > 0 && (
        <>
          {names.length === 1 ? 'This is no placeholder: ' : 'These are no placeholders: '}
          {names.map((name) => (
            <mark
              key={name}
              className="mr-1 rounded-box bg-danger-soft px-1.5 py-0.5 font-mono wrap-anywhere text-danger"
            >{`{${name}}`}</mark>
          ))}
        </>
      )}
    </p>
  )
}
