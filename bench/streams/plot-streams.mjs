import { kindOf, plotPanels } from '../plot.mjs'

/** The figures as bars, one panel for each. */
export function plotStreams({ date, node, subscribers, servers }) {
  const panels = [
    panel('Heap of an idle subscriber, KB', servers, ({ heap }) => heap / 1024),
    panel('CPU per result, us', servers, ({ cpu }) => cpu),
    panel(
      `Time until ${subscribers} subscribers have an event, ms`,
      servers,
      ({ fanOut }) => fanOut,
    ),
    panel(
      'Held for a subscriber that reads nothing, MB',
      servers,
      ({ idler }) => idler / 1024 ** 2,
    ),
  ]
  return plotPanels({
    title: 'What streams cost; shorter is better',
    subtitle: `Node ${node}, ${date}, ${subscribers} subscribers.`,
    panels,
  })
}

function panel(title, servers, figureOf) {
  return {
    title,
    bars: servers.map((server) => ({
      name: server.name,
      figure: Math.max(0, figureOf(server)),
      kind: kindOf(server.name),
    })),
  }
}
