DROP INDEX "open proposals by their end";
