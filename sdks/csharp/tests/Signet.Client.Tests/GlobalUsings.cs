[assembly: Xunit.CollectionBehavior(MaxParallelThreads = 2)]
