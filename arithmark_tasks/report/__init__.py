"""What ``arithmark report`` writes: leaderboard, plots and one self-contained page from result files."""
