console.error('The people service is being built.')
process.exitCode = 1
