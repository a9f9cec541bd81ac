/** The options of a field or filter, with the label of each value. */
export const optionsOf = <Value extends string>(
  values: readonly Value[],
  labels: Readonly<Record<Value, string>> | ((value: Value) => string),
) => values.map((value) => ({ value, label: typeof labels === 'function' ? labels(value) : labels[value] }))
