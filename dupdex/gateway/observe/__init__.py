"""What a gateway says about itself: logs, metrics, health."""
