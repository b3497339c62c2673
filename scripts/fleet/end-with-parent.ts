// Loaded first into a process (`node --import`) that is to end with the one that started it, however that one ended.
process.once('disconnect', () => process.exit(1));
// It waits for nothing else: the process ends by itself when its work is done.
process.channel?.unref();
