"""``python -m compactml.cli``."""

from compactml.cli import main

if __name__ == "__main__":
    main()
