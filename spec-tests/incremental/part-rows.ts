/** The parts of a document in both formats: those of v0.2, and the `incremental` of the older one. */
// oxfmt-ignore
export const partRows: readonly [title: string, query: string, parts: readonly unknown[], older: readonly unknown[]][] = [
  [
    'IN-1, IN-2, IN-3: a deferred fragment with a label',
    '{ item { name ... @defer(label: "L") { size } } }',
    [
      { data: { item: { name: 'a' } }, pending: [{ id: '0', path: ['item'], label: 'L' }], hasNext: true },
      { hasNext: false, incremental: [{ id: '0', data: { size: 1 } }], completed: [{ id: '0' }] },
    ],
    [{ data: { item: { name: 'a' } }, hasNext: true }, { hasNext: false, incremental: [{ data: { size: 1 }, path: ['item'], label: 'L' }] }],
  ],
  [
    'IN-1: a first part with errors',
    '{ shown ... @defer { later } }',
    [
      { errors: [{ message: 'For clients.', locations: [{ line: 1, column: 3 }], path: ['shown'] }], data: { shown: null }, pending: [{ id: '0', path: [] }], hasNext: true },
      { hasNext: false, incremental: [{ id: '0', data: { later: 'late' } }], completed: [{ id: '0' }] },
    ],
    [
      { errors: [{ message: 'For clients.', locations: [{ line: 1, column: 3 }], path: ['shown'] }], data: { shown: null }, hasNext: true },
      { hasNext: false, incremental: [{ data: { later: 'late' }, path: [] }] },
    ],
  ],
  [
    'IN-4: items of a list, behind those at once',
    '{ numbers @stream(initialCount: 1, label: "N") }',
    [
      { data: { numbers: [0] }, pending: [{ id: '0', path: ['numbers'], label: 'N' }], hasNext: true },
      { hasNext: false, incremental: [{ id: '0', items: [1, 2] }], completed: [{ id: '0' }] },
    ],
    [{ data: { numbers: [0] }, hasNext: true }, { hasNext: false, incremental: [{ items: [1, 2], path: ['numbers', 1], label: 'N' }] }],
  ],
  [
    'IN-4: a path below that of the id',
    '{ ... @defer { item { name } } ... @defer { item { name size } } }',
    [
      { data: {}, pending: [{ id: '0', path: [] }, { id: '1', path: [] }], hasNext: true },
      {
        hasNext: false,
        incremental: [{ id: '0', data: { item: { name: 'a' } } }, { id: '1', data: { size: 1 }, subPath: ['item'] }],
        completed: [{ id: '0' }, { id: '1' }],
      },
    ],
    [
      { data: {}, hasNext: true },
      { hasNext: false, incremental: [{ data: { item: { name: 'a' } }, path: [] }, { data: { item: { name: 'a', size: 1 } }, path: [] }] },
    ],
  ],
  [
    'IN-3, IN-5: a fragment within a fragment',
    '{ item { ... @defer { other { name ... @defer { size } } } } }',
    [
      { data: { item: {} }, pending: [{ id: '0', path: ['item'] }], hasNext: true },
      {
        hasNext: false,
        pending: [{ id: '1', path: ['item', 'other'] }],
        incremental: [{ id: '0', data: { other: { name: 'b' } } }, { id: '1', data: { size: 1 } }],
        completed: [{ id: '0' }, { id: '1' }],
      },
    ],
    [
      { data: { item: {} }, hasNext: true },
      { hasNext: false, incremental: [{ data: { other: { name: 'b' } }, path: ['item'] }, { data: { size: 1 }, path: ['item', 'other'] }] },
    ],
  ],
  [
    'IN-4: an error of a nullable field is beside its data',
    '{ item { ... @defer { name shown } } }',
    [
      { data: { item: {} }, pending: [{ id: '0', path: ['item'] }], hasNext: true },
      {
        hasNext: false,
        incremental: [{ errors: [{ message: 'For clients.', locations: [{ line: 1, column: 28 }], path: ['item', 'shown'] }], id: '0', data: { name: 'a', shown: null } }],
        completed: [{ id: '0' }],
      },
    ],
    [
      { data: { item: {} }, hasNext: true },
      { hasNext: false, incremental: [{ errors: [{ message: 'For clients.', locations: [{ line: 1, column: 28 }], path: ['item', 'shown'] }], data: { name: 'a', shown: null }, path: ['item'] }] },
    ],
  ],
  [
    'IN-5: what failed is completed with its errors, and they are masked',
    '{ item { ... @defer { broken } } }',
    [
      { data: { item: {} }, pending: [{ id: '0', path: ['item'] }], hasNext: true },
      { hasNext: false, completed: [{ errors: [{ message: 'Internal server error', locations: [{ line: 1, column: 23 }], path: ['item', 'broken'], extensions: { code: 'INTERNAL_SERVER_ERROR', id: 'id' } }], id: '0' }] },
    ],
    [
      { data: { item: {} }, hasNext: true },
      { hasNext: false, incremental: [{ errors: [{ message: 'Internal server error', locations: [{ line: 1, column: 23 }], path: ['item', 'broken'], extensions: { code: 'INTERNAL_SERVER_ERROR', id: 'id' } }], data: null, path: ['item'] }] },
    ],
  ],
  [
    'IN-6: one of two is off',
    '{ item { name ... @defer(if: false) { size } ... @defer { kind } } }',
    [
      { data: { item: { name: 'a', size: 1 } }, pending: [{ id: '0', path: ['item'] }], hasNext: true },
      { hasNext: false, incremental: [{ id: '0', data: { kind: 'k' } }], completed: [{ id: '0' }] },
    ],
    [{ data: { item: { name: 'a', size: 1 } }, hasNext: true }, { hasNext: false, incremental: [{ data: { kind: 'k' }, path: ['item'] }] }],
  ],
]
